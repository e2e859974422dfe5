import type { JsonSchema } from '../../json/schema.ts';

/** A reference to a part of the document: `#/components/…`. */
export interface Reference {
  readonly $ref: string;
}

/** A parameter or a result: OpenRPC 1.3, "Content Descriptor Object". */
export interface ContentDescriptor {
  readonly name: string;
  readonly summary?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** OpenRPC 1.3, "Error Object". */
export interface DocumentError {
  readonly code: number;
  readonly message: string;
}

/** OpenRPC 1.3, "Example Pairing Object". */
export interface ExamplePairing {
  readonly name: string;
  readonly params: readonly DocumentExample[];
  readonly result: DocumentExample;
}

/** OpenRPC 1.3, "Example Object". */
export interface DocumentExample {
  readonly name: string;
  readonly value: unknown;
}

/** OpenRPC 1.3, "Method Object". */
export interface DocumentMethod {
  readonly name: string;
  readonly summary: string;
  readonly tags: readonly Reference[];
  readonly paramStructure: 'by-position';
  readonly params: readonly ContentDescriptor[];
  readonly result: ContentDescriptor;
  readonly errors: readonly Reference[];
  readonly examples?: readonly ExamplePairing[];
  readonly 'x-differences'?: string;
  /** The main name of a method, for its aliases. */
  readonly 'x-alias-of'?: string;
  /** Present for a method of test mode only. */
  readonly 'x-test-mode-only'?: true;
}

/** OpenRPC 1.3, "Tag Object". */
export interface DocumentTag {
  readonly name: string;
  readonly description: string;
}

/** One field in which an object of the interface differs from Ethereum's Execution APIs. */
export interface ShapeDifference {
  /** Name of the object among the schemas, or of the method. */
  readonly object: string;
  /** The field; `result` for a method. */
  readonly field: string;
  /** Missing, additional, encoded differently, or with another meaning. */
  readonly kind: 'absent' | 'additional' | 'encoding' | 'meaning';
  readonly reason: string;
}

/** OpenRPC 1.3, "OpenRPC Object": the description of the whole interface. */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string };
  };
  readonly servers: readonly { readonly name: string; readonly url: string; readonly summary: string }[];
  readonly methods: readonly DocumentMethod[];
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly errors: Readonly<Record<string, DocumentError>>;
    readonly tags: Readonly<Record<string, DocumentTag>>;
  };
  /** Differences of the shapes of results from Ethereum's Execution APIs. */
  readonly 'x-shape-differences': readonly ShapeDifference[];
  /** Methods of Ethereum's clients that are known and not implemented, and why. */
  readonly 'x-not-implemented': Readonly<Record<string, string>>;
}

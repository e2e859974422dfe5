import { METHODS } from 'node:http';
import type { ParseProblem, RequestHead, RequestHeaders } from '../http-response.ts';

/** Header fields of a request. */
const HEADER_FIELDS_MAX = 2_000;

/** A request line (RFC 9112, 3) of HTTP/1.0 or HTTP/1.1. */
const REQUEST_LINE = /^([A-Z-]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])$/;
/** The beginning of an incomplete request line. */
const REQUEST_LINE_START = /^[A-Z-]{1,32}(?: [\x21-\x7e\x80-\xff]*(?: [HTP/1.0]{0,8}\r?)?)?$/;
/** A target in origin form, asterisk form or absolute form (RFC 9112, 3.2). */
const TARGET = /^(?:\/|\*$|[a-z]+:\/\/)/i;
/** The name of a header: a token (RFC 9110, 5.6.2). */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A character that is not allowed in a header value (RFC 9110, 5.5). */
const BAD_VALUE_CHARACTER = /[^\t\x20-\x7e\x80-\xff]/;
const DIGITS = /^\d+$/;
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);
const SPACE = 0x20;
const TAB = 0x09;

/** Headers that may occur once: recipients could disagree about the meaning of two (request smuggling). */
const SINGLE_FIELDS: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);

export function mayBeginHead(text: string): boolean {
  const lineEnd = text.indexOf('\r\n');
  return lineEnd < 0 ? REQUEST_LINE_START.test(text) : REQUEST_LINE.test(text.slice(0, lineEnd));
}

/**
 * Parses a request head, without the empty line that ends it (RFC 9112, 2.1). Rejects also a head for which recipients
 * could disagree about the length of the body (RFC 9112, 6.3).
 */
export function parseRequestHead(text: string): RequestHead | ParseProblem {
  const [line = '', ...fieldLines] = text.split('\r\n');
  const [, method = '', target = '', minor] = REQUEST_LINE.exec(line) ?? [];
  if (!KNOWN_METHODS.has(method) || !TARGET.test(target)) return 'malformed';
  const headers = parseFields(fieldLines);
  if (typeof headers === 'string') return headers;
  const isLatest = minor === '1';
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (length !== undefined && (coding !== undefined || !DIGITS.test(length))) return 'malformed';
  if (coding !== undefined && (!isLatest || coding.toLowerCase() !== 'chunked')) return 'malformed';
  const options = tokensOf(headers.connection);
  return {
    method,
    target,
    headers,
    isLatest,
    contentLength: Number(length ?? 0),
    isChunked: coding !== undefined,
    keepsAlive: isLatest ? !options.has('close') : options.has('keep-alive') && !options.has('close'),
    expectation: isLatest ? headers.expect?.toLowerCase() : undefined,
    upgrade: isLatest && options.has('upgrade') ? headers.upgrade?.toLowerCase() : undefined,
  };
}

function parseFields(lines: readonly string[]): RequestHeaders | ParseProblem {
  if (lines.length > HEADER_FIELDS_MAX) return 'overflow';
  // Without a prototype, so that a lookup finds only what the client has sent.
  const fields: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const field = parseFieldLine(line);
    if (field === undefined) return 'malformed';
    const name = field.name.toLowerCase();
    const before = fields[name];
    if (before !== undefined && SINGLE_FIELDS.has(name)) return 'malformed';
    fields[name] = before === undefined ? field.value : `${before}, ${field.value}`;
  }
  return fields;
}

/** Parses a header line (RFC 9112, 5); undefined for a malformed one, or one that continues the line before. */
export function parseFieldLine(line: string): { readonly name: string; readonly value: string } | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  if (!FIELD_NAME.test(name) || BAD_VALUE_CHARACTER.test(line)) return undefined;
  return { name, value: trimmed(line, colon + 1) };
}

/** Removes spaces and tabs around a value; `trim` removes other characters, too. */
function trimmed(line: string, from: number): string {
  const isSpace = (index: number): boolean =>
    line.charCodeAt(index) === SPACE || line.charCodeAt(index) === TAB;
  let start = from;
  let end = line.length;
  while (start < end && isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return line.slice(start, end);
}

function tokensOf(list = ''): ReadonlySet<string> {
  return new Set(list.split(',').map((token) => token.trim().toLowerCase()));
}

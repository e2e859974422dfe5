// biome-ignore-all lint/suspicious/noExplicitAny: the types of the package are there where it is installed
/** The used parts of the package, for type checks without an installed package. */
declare module 'playwright-core' {
  export type Browser = any;
  export type Page = any;
  export type Locator = any;
  export const chromium: any;
}

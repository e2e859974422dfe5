// biome-ignore-all lint/suspicious/noExplicitAny: the types of the package are there where it is installed
/** What the suite uses of the package, for who checks types without having installed it. */
declare module 'playwright-core' {
  export type Browser = any;
  export type Page = any;
  export type Locator = any;
  export const chromium: any;
}

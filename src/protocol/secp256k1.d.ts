/** The part of the package secp256k1 that checks arguments, and calls its binary. The package has no types. */
declare module 'secp256k1/lib/index.js' {
  const libraryOf: (binary: object) => import('./curves/native-library.ts').NativeLibrary;
  export = libraryOf;
}

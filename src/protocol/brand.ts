declare const brandName: unique symbol;

/**
 * A type that is `T` at run time and that only a constructor of `Name` may produce: an address can't be passed where a
 * hash is meant, nor an account's instance where a contract's is.
 */
export type Brand<T, Name extends string> = T & { readonly [brandName]: Name };

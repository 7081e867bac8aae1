type Literals<T> = T extends string ? (string extends T ? never : T) : never;
type Texts<T> = [Literals<T>] extends [never] ? Extract<T, string> : Literals<T>;
type Others<T> = T extends object ? { readonly [Field in keyof T]: Known<T[Field]> } : T;

/**
 * A type of the API without values that this program does not know. The library leaves enumerations open for services that
 * are newer than it; this console comes from the service that it talks to, and a page that is older than its service is
 * reloaded.
 */
export type Known<T> = Texts<T> | Others<Exclude<T, string>>;

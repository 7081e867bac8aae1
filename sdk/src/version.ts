/** Sent with every request as `Postrider-Client: sdk/<version>`; the version of package.json. */
export const VERSION = '0.1.0';

declare module '#http/deps' {
  interface HttpDeps {
    /** Which key pushes to browsers are signed with: 65 bytes in base64url. */
    readonly pushPublicKey: string;
  }
}

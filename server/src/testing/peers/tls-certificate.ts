/** A certificate for localhost that nobody has signed but itself, valid until 2126. Its key is public: good for tests alone. */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFnwErBjJQbYxJJ/N
AnDpHaJEjbZsPR2ZuVfNrBYpd1WhRANCAAQsPwzVlF5yBIAyH5zvpmvgHvB16fVd
brb9QUGYqmVbgL1vnqLyHvzlAInGBJXuzOwMyp/vZ6V5FQNsZlMPzaQv
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUO7EmbSAlnHLFnlY6dvZPPj9Sh38wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA1MzgzMloYDzIxMjYxMDMw
MDUzODMyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQsPwzVlF5yBIAyH5zvpmvgHvB16fVdbrb9QUGYqmVbgL1vnqLyHvzl
AInGBJXuzOwMyp/vZ6V5FQNsZlMPzaQvo2kwZzAdBgNVHQ4EFgQU3W6sw4cZc/71
Kr0SWapytzo7hokwHwYDVR0jBBgwFoAU3W6sw4cZc/71Kr0SWapytzo7hokwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgOWSnKn7+rLFh0di/bKQRZeJEyJIrV0UtzPMiSk40MU0CIAWgEavsBK+X
JGANVfeMTyAkfW0K7ExCZamRdEcfd4aP
-----END CERTIFICATE-----
`,
} as const;

/** How long a test waits for what a page draws or a program does: against hanging only, on the slowest machine too. */
export const PATIENCE_MS = 240_000;

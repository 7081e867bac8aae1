/** The mark of the product. */
export function Brand({ size = 24 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="64" height="64" rx="15" fill="#3b5bdb" />
      <path
        d="M15 21.500a4.500 4.500 0 0 1 4.500-4.500h25a4.500 4.500 0 0 1 4.500 4.500v17a4.500 4.500 0 0 1-4.500 4.500H31l-9.500 7.500V43h-2a4.500 4.500 0 0 1-4.500-4.500z"
        fill="#fff"
      />
      <path
        d="M24 30.500l5.500 5.500L40.500 25"
        fill="none"
        stroke="#3b5bdb"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

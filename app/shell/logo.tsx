/** The mark: the hook of a J that holds a low sun. Decorative; the name is beside it or on its link. */
export function LogoMark({ size = 34 }: { size?: number }) {
  return (
    <svg viewBox="0 0 34 34" width={size} height={size} aria-hidden="true" className="logo-mark">
      <circle cx="13.4" cy="15.4" r="5.2" fill="var(--glow)" />
      <path
        d="M25 4.5v15.2a11 11 0 0 1-11.2 10.9C8.3 30.6 4 26.7 3.4 21.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="4.6"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** The mark and the name. The name is a setting, so it is text. */
export function Logo({ brand }: { brand: string }) {
  return (
    <span className="logo">
      <LogoMark />
      <span>{brand}</span>
    </span>
  )
}

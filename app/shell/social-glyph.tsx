export type SocialNetwork = 'facebook' | 'instagram' | 'tiktok' | 'youtube'

/** Simple glyphs of one stroke width; the surrounding link carries the name. */
export function SocialGlyph({ network }: { network: SocialNetwork }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {network === 'facebook' ? <path d="M16 3.5h-2a4 4 0 0 0-4 4V21M6.8 12h8" /> : null}
      {network === 'instagram' ? (
        <>
          <rect x="3.5" y="3.5" width="17" height="17" rx="5" />
          <circle cx="12" cy="12" r="3.9" />
          <path d="M16.9 7.1h.01" strokeWidth="2.4" />
        </>
      ) : null}
      {network === 'tiktok' ? <path d="M13.5 3.5v12.2a4 4 0 1 1-4-4M13.5 3.5c.3 3 2.3 4.9 5.2 5.2" /> : null}
      {network === 'youtube' ? (
        <>
          <rect x="2.5" y="5.5" width="19" height="13" rx="4" />
          <path d="m10.2 9.3 4.8 2.7-4.8 2.7z" fill="currentColor" />
        </>
      ) : null}
    </svg>
  )
}

import { useState } from 'react'

/** The picture of a person or business, or the first letter of the name. Decorative: show the name beside it. */
export function Avatar({ name, url, size = 40 }: { name: string; url: string | null; size?: number }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return (
    <span className="avatar" style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden="true">
      {url && url !== failedUrl ? (
        <img src={url} alt="" width={size} height={size} loading="lazy" onError={() => setFailedUrl(url)} />
      ) : (
        (name.trim()[0] ?? '·').toUpperCase()
      )}
    </span>
  )
}

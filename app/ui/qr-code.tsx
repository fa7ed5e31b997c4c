/** A QR code as one path of squares, on a canvas of `size` units: see `drawQrCode`. */
export type QrCode = { size: number; path: string }

/** A QR code, white and black by day and by night: scanners need it. @param label what it holds */
export function QrCodePicture({
  code,
  label,
  className,
}: {
  code: QrCode
  label: string
  className: string
}) {
  return (
    <svg
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={`${className} max-w-full rounded-control border border-line`}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  )
}

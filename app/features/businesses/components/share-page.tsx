import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toast.tsx'
import {
  COPY_LINK_TEXT,
  LINK_COPIED_TEXT,
  LINK_SELECTED_TEXT,
  PAGE_LINK_LABEL,
  QR_HINT,
  QR_TEXT,
} from '../first-step-messages.ts'

/** A QR code as one path of squares, on a canvas of `size` units. */
export type QrCode = { size: number; path: string }

/** The address of a vendor's page, to copy, with a QR code to print where there is one. */
export function SharePage({ address, qr }: { address: string; qr: QrCode | null }) {
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      showToast({ type: 'success', text: LINK_COPIED_TEXT })
    } catch {
      field.current?.focus()
      field.current?.select()
      showToast({ text: LINK_SELECTED_TEXT })
    }
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          ref={field}
          className="min-w-0 grow basis-48"
          label={PAGE_LINK_LABEL}
          readOnly
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button icon={<Icon name="copy" />} onClick={() => void copy()}>
          {COPY_LINK_TEXT}
        </Button>
      </div>
      {qr ? (
        <details>
          <summary className="link inline-flex min-h-11 cursor-pointer items-center text-sm">
            {QR_TEXT}
          </summary>
          {/* White and black by day and by night: phones need it. */}
          <svg
            viewBox={`0 0 ${qr.size} ${qr.size}`}
            role="img"
            aria-label="QR code of your page"
            shapeRendering="crispEdges"
            className="mt-2 w-44 max-w-full rounded-control border border-line"
          >
            <rect width="100%" height="100%" fill="#fff" />
            <path d={qr.path} fill="#000" />
          </svg>
          <p className="mt-2 text-sm text-quiet">{QR_HINT}</p>
        </details>
      ) : null}
    </div>
  )
}

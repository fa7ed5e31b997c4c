import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type QrCode, QrCodePicture } from '../../../ui/qr-code.tsx'
import { useCopy } from '../../../ui/use-copy.ts'
import {
  COPY_LINK_TEXT,
  LINK_COPIED_TEXT,
  LINK_SELECTED_TEXT,
  PAGE_LINK_LABEL,
  QR_HINT,
  QR_TEXT,
} from '../first-step-messages.ts'

/** The address of a vendor's page, to copy, with a QR code to print where there is one. */
export function SharePage({ address, qr }: { address: string; qr: QrCode | null }) {
  const { field, copy } = useCopy(address, { copied: LINK_COPIED_TEXT, selected: LINK_SELECTED_TEXT })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField className="min-w-0 grow basis-48" label={PAGE_LINK_LABEL} {...field} />
        <Button icon={<Icon name="copy" />} onClick={() => void copy()}>
          {COPY_LINK_TEXT}
        </Button>
      </div>
      {qr ? (
        <details>
          <summary className="link inline-flex min-h-11 cursor-pointer items-center text-sm">
            {QR_TEXT}
          </summary>
          <QrCodePicture code={qr} label="QR code of your page" className="mt-2 w-44" />
          <p className="mt-2 text-sm text-quiet">{QR_HINT}</p>
        </details>
      ) : null}
    </div>
  )
}

import { Icon } from '../../../../ui/icon.tsx'
import { Tag } from '../../../../ui/tag.tsx'
import { timeLeftText } from '../../insights/messages.ts'
import type { TimeLeft } from '../../insights/rules.ts'

/** How long a vendor may still answer a booking. */
export function TimeLeftTag({ left }: { left: TimeLeft }) {
  return (
    <Tag tone={left.isSoon ? 'error' : 'glow'} icon={<Icon name="clock" />}>
      {timeLeftText(left)}
    </Tag>
  )
}

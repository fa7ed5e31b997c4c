import { Form, href, Link } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import type { ConversationPaneProps } from '../../enquiries/components/conversation-pane.tsx'
import type { ThreadCard } from '../../enquiries/components/message-thread.tsx'
import type { ConversationView } from '../../enquiries/rules.ts'
import { QuoteCard } from '../components/quote-card.tsx'
import { QuoteComposer } from '../components/quote-composer.tsx'
import { VENDOR_REFUSALS, WITHDRAW_QUOTE, WRITE_NEW_QUOTE, WRITE_QUOTE } from '../messages.ts'
import type { QuoteView } from '../rules.ts'
import type { ComposerAnswer, ComposerStart } from '../schema.ts'

/**
 * The parts of a customer's open conversation that are about quotes: the cards, at their places in the thread.
 * @param link the token of a guest's link
 */
export function customerQuoteParts(
  { quotes, now }: { quotes: readonly QuoteView[]; now: string },
  link?: string,
): Pick<ConversationPaneProps, 'cards' | 'hasOpenQuote'> {
  return { cards: quoteCards(quotes, now, link), hasOpenQuote: quotes.some(isOpen) }
}

const isOpen = ({ state }: QuoteView) => state === 'sent' || state === 'viewed'

function quoteCards(quotes: readonly QuoteView[], now: string, link: string | undefined): ThreadCard[] {
  return quotes.flatMap((quote) =>
    quote.sentAt
      ? [{ id: quote.id, at: quote.sentAt, element: <CustomerCard {...{ quote, now, link }} /> }]
      : [],
  )
}

function CustomerCard({ quote, now, link }: { quote: QuoteView; now: string; link: string | undefined }) {
  return <QuoteCard quote={quote} now={now} to={href('/quotes/:id/:link?', { id: quote.id, link })} />
}

/** The parts of a vendor's open conversation that are about quotes: the cards, the step to the form, and the form. */
export function vendorQuoteParts(
  data: {
    conversation: ConversationView
    quotes: readonly QuoteView[]
    composer: ComposerStart | null
    /** Whether customers can book the listing. */
    isListed: boolean
    /** Whether the address asks for the form. */
    isQuoteAsked: boolean
    now: string
  },
  answer: ComposerAnswer | undefined,
): Pick<ConversationPaneProps, 'cards' | 'hasOpenQuote' | 'tools' | 'form' | 'notice'> {
  const { conversation, quotes, composer, isListed, isQuoteAsked, now } = data
  const cards = quotes.flatMap((quote) =>
    quote.sentAt ? [{ id: quote.id, at: quote.sentAt, element: <VendorCard quote={quote} now={now} /> }] : [],
  )
  const path = href('/dashboard/inbox/:id?', { id: conversation.id })
  const hasOpenQuote = quotes.some(isOpen)
  const canWrite = isListed && conversation.isVerified && conversation.status !== 'blocked'
  return {
    cards,
    hasOpenQuote,
    tools: canWrite ? (
      <Link className="button button-secondary button-small" to={`${path}?quote=new`}>
        {hasOpenQuote ? WRITE_NEW_QUOTE : WRITE_QUOTE}
      </Link>
    ) : null,
    notice: isQuoteAsked && !isListed ? <Banner>{VENDOR_REFUSALS.gone}</Banner> : null,
    ...(composer
      ? {
          form: (
            <QuoteComposer
              // Saved drafts and sent versions begin a new form.
              key={`${conversation.id} ${composer.version}`}
              start={composer}
              answer={answer}
              backTo={path}
              customerName={conversation.customerName}
            />
          ),
        }
      : {}),
  }
}

function VendorCard({ quote, now }: { quote: QuoteView; now: string }) {
  return (
    <QuoteCard
      quote={quote}
      now={now}
      isMine
      to={href('/quotes/:id/:link?', { id: quote.id })}
      action={isOpen(quote) ? <WithdrawForm quoteId={quote.id} /> : null}
    />
  )
}

function WithdrawForm({ quoteId }: { quoteId: string }) {
  return (
    <Form method="post" action="?quote=withdraw">
      <input type="hidden" name="quoteId" value={quoteId} />
      <Button type="submit" name="intent" value="withdraw-quote" variant="quiet" size="small">
        {WITHDRAW_QUOTE}
      </Button>
    </Form>
  )
}

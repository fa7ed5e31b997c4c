import { sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'

/**
 * The documents of each booking come to the ledger's amount for its vendor, earned or not: the charges, less refunds and lost disputes,
 * with ordered refunds taken off that aren't posted yet, and the balance added that is still due. Taxed ones have one eleventh of
 * that as GST. A booking in the queue waits for its next document, for the register no longer than 7 days: each look sets the next one
 * ten minutes later. A refund that the operator bore may have become the vendor's cost
 * again by a later cancellation.
 */
const AGREEING_DOCUMENTS = sql`
  with booked as materialized (
    select b.id, b.payment_row_id, b.status from page join bookings b on b.payment_row_id = page.id
    where not exists (select from tax_queue where booking_id = b.id)
  ), posted as (
    select booked.id,
      coalesce(sum(p.cents) filter (where p.account in ('provider_balance', 'bank') and t.kind in ('charge', 'opening')), 0)
      + coalesce(sum(p.cents) filter (where p.account in ('provider_balance', 'bank') and t.kind in ('refund', 'refund_failed')), 0)
      + coalesce(sum(p.cents) filter (where p.account = 'disputed' and t.kind = 'dispute_lost'), 0) as cents,
      coalesce(sum(p.cents) filter (where p.account = 'losses' and t.kind not in ('dispute_fee', 'write_off')), 0) as covered
    from booked join ledger_postings p on p.booking_id = booked.id join ledger_transactions t on t.id = p.transaction_id
    group by 1
  ), waiting as (
    select booked.id, sum(a.amount_cents) as cents
    from booked join payments on payments.sale_id = booked.payment_row_id
    join payment_actions a on a.payment_id = payments.id and a.kind = 'refund' and a.line is not null
    where a.state <> 'cancelled' and a.resolution is null and a.borne_by is distinct from 'operator'
      and (a.state <> 'done' or a.provider_status in ('failed', 'canceled', 'requires_action')
        or a.provider_status = 'pending' and a.pending_reason = 'insufficient_funds')
    group by 1
  ), due as (
    select booked.id, sum(i.amount_cents) as cents
    from booked join instalments i on i.payment_id = booked.payment_row_id where i.state not in ('paid', 'ended') group by 1
  ), documents as (
    select booked.id, sum(d.cents) as cents, sum(d.gst_cents) as gst, bool_or(d.is_taxed) as is_taxed
    from booked join tax_documents d on d.booking_id = booked.id group by 1
  ), compared as (
    select booked.id, booked.status, coalesce(documents.cents, 0) as cents, coalesce(documents.gst, 0) as gst,
      coalesce(documents.is_taxed, false) as is_taxed, coalesce(posted.covered, 0) as covered,
      case when booked.status in ('approved', 'withdrawn') then greatest(0, coalesce(posted.cents, 0) + coalesce(posted.covered, 0)
        - coalesce(waiting.cents, 0) + coalesce(due.cents, 0)) else 0 end as kept
    from booked
    left join posted using (id) left join waiting using (id) left join due using (id) left join documents using (id)
  )
  select id as subject, cents - kept as cents,
    'its documents come to ' || ${dollars(sql`cents`)} || ' with ' || ${dollars(sql`gst`)} || ' GST, and its vendor keeps '
      || ${dollars(sql`kept`)} as detail
  from compared
  where status <> 'pending' and (case when covered > 0 and status = 'withdrawn' then cents not between kept - covered and kept
      else cents <> kept end
    or gst <> case when is_taxed then round(cents / 11.0) else 0 end)
  union all
  select d.booking_id, d.cents, 'a tax invoice of ' || to_char(d.supplied_on, 'YYYY-MM-DD')
    || ', and the business register has never said that its seller was registered for GST then'
  from booked join tax_documents d on d.booking_id = booked.id
  where d.is_taxed and d.kind = 'invoice' and not exists (
    select from register_answers r
    where r.abn = d.content::jsonb->'supplier'->>'abn' and r.status = 'active' and r.gst_since <= d.supplied_on
      and coalesce(r.status_since, d.supplied_on) <= d.supplied_on and r.first_at <= d.issued_at)
  union all
  select b.id, b.total_price_cents, 'it has waited for the business register since ' || to_char(q.waits_since, 'YYYY-MM-DD')
  from page join bookings b on b.payment_row_id = page.id join tax_queue q on q.booking_id = b.id
  where q.look_at > q.waits_since + interval '7 days 10 minutes'`

/** Each series has all numbers from 1 to its last, a document for each, and each content has its hash. */
const DENSE_NUMBERS = sql`
  select coalesce(s.issuer, d.issuer) as subject, 0 as cents,
    'its last number is ' || coalesce(s.last_number, 0) || ', and it has ' || coalesce(d.count, 0) || ' documents up to '
      || coalesce(d.last, 0) as detail
  from tax_series s full join (
    select issuer, count(*) as count, max(number) as last from tax_documents group by 1
  ) d using (issuer)
  where coalesce(s.last_number, 0) <> coalesce(d.count, 0) or coalesce(s.last_number, 0) <> coalesce(d.last, 0)
  union all
  select id, cents, 'its content isn''t what was issued'
  from tax_documents
  where sha256 <> encode(sha256(convert_to(content, 'UTF8')), 'hex')
    or (content::jsonb->>'cents')::bigint <> cents or (content::jsonb->>'gstCents')::bigint <> gst_cents`

/** Each document of commission is the sum of the ledger's transactions that it has, and its GST. */
const INVOICED_COMMISSION = sql`
  select d.id as subject, d.cents - coalesce(posted.cents, 0) as cents,
    'it charges ' || ${dollars(sql`d.cents`)} || ' with ' || ${dollars(sql`d.gst_cents`)} || ' GST, and the ledger has '
      || ${dollars(sql`posted.cents`)} || ' with ' || ${dollars(sql`posted.gst`)} as detail
  from tax_documents d left join (
    select ic.document_id, -sum(p.cents) as cents,
      -coalesce(sum(p.cents) filter (where p.account = 'gst_on_commission'), 0) as gst
    from invoiced_commissions ic join ledger_postings p on p.transaction_id = ic.transaction_id
    where p.account in ('commission', 'gst_on_commission') group by 1
  ) posted on posted.document_id = d.id
  where d.subject = 'commission' and (d.cents is distinct from posted.cents or d.gst_cents is distinct from posted.gst)`

/** The comparisons of tax documents with the ledger. */
export const TAX_COMPARISONS: readonly Comparison[] = [
  { name: 'tax_documents_agree', of: 'purchases', differences: AGREEING_DOCUMENTS },
  { name: 'tax_numbers_are_dense', of: 'everything', differences: DENSE_NUMBERS },
  { name: 'commission_is_invoiced', of: 'everything', differences: INVOICED_COMMISSION },
]

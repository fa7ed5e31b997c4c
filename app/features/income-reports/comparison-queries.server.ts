import { sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'
import { incomeByBooking } from './queries.server.ts'
import { REPORT_ZONE } from './rules.ts'

/**
 * What stands as lodged of each half-year agrees with the ledger and the tax documents on each vendor's gross income, GST and
 * commission of each quarter, and every vendor with income is in it or left out for a reason. One whose details are missing is for
 * the reminders to name. A bank may date a lost dispute earlier than its news, and a vendor may approve after the last day, so a
 * difference may also mean that a correction is due.
 */
const AGREEING_REPORTS = sql`
  with lodged as (
    select half_year, version, content::jsonb as content from income_reports where lodged_at is not null
  ), records as (
    select half_year, seller->>'userId' as vendor, seller->>'reference' as reference, seller->>'replaces' as replaces, seller
    from lodged cross join jsonb_array_elements(content->'sellers') seller
  ), standing as (
    select r.* from records r left join records later on later.half_year = r.half_year and later.replaces = r.reference
    where later.replaces is null and r.seller->>'change' <> 'cancel'
  ), reported as (
    select s.half_year, s.vendor, (q->>'quarter')::date as quarter,
      sum((q->>'paidCents')::bigint - (q->>'refundedCents')::bigint) as gross, sum((q->>'gstCents')::bigint) as gst,
      sum((q->>'commissionCents')::bigint) as commission
    from standing s cross join jsonb_array_elements(s.seller->'activities') a
      cross join jsonb_array_elements(a->'quarters') q
    group by 1, 2, 3
  ), newest as (
    select distinct on (half_year) half_year, content from lodged order by half_year, version desc
  ), left_out as (
    select half_year, l->>'userId' as vendor from newest cross join jsonb_array_elements(content->'leftOut') l
    -- What was lodged of a vendor stands while their details are incomplete.
    where l->>'reason' <> 'incomplete' or not exists (
      select from standing s where s.half_year = newest.half_year and s.vendor = l->>'userId')
  ), posted as (
    select n.half_year, i.vendor_user_id as vendor, i.quarter, sum(i.paid - i.refunded) as gross, sum(i.gst) as gst,
      sum(i.commission) as commission
    from newest n join (
      ${incomeByBooking({
        from: sql`(select min(half_year)::timestamp at time zone ${REPORT_ZONE}
          from income_reports where lodged_at is not null)`,
        before: sql`(select (max(half_year) + interval '6 months')::timestamp at time zone ${REPORT_ZONE}
          from income_reports where lodged_at is not null)`,
      })}
    ) i on i.quarter >= n.half_year and i.quarter < n.half_year + interval '6 months'
    where not exists (select from left_out l where l.half_year = n.half_year and l.vendor = i.vendor_user_id)
    group by 1, 2, 3
  )
  select half_year || ', ' || vendor as subject, coalesce(r.gross, 0) - coalesce(p.gross, 0) as cents,
    'the quarter from ' || to_char(quarter, 'YYYY-MM-DD') || ' was lodged with ' || ${dollars(sql`r.gross`)} || ', '
      || ${dollars(sql`r.gst`)} || ' GST and ' || ${dollars(sql`r.commission`)} || ' commission, and the ledger has '
      || ${dollars(sql`p.gross`)} || ', ' || ${dollars(sql`p.gst`)} || ' GST and ' || ${dollars(sql`p.commission`)}
      || ' commission: lodge a correction' as detail
  from reported r full join posted p using (half_year, vendor, quarter)
  where coalesce(r.gross, 0) <> coalesce(p.gross, 0) or coalesce(r.gst, 0) <> coalesce(p.gst, 0)
    or coalesce(r.commission, 0) <> coalesce(p.commission, 0)`

/** The comparisons of lodged reports with the ledger. */
export const INCOME_REPORT_COMPARISONS: readonly Comparison[] = [
  { name: 'income_reports_agree', of: 'everything', differences: AGREEING_REPORTS },
]

import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'
import { CATEGORY_SLUGS } from './features/businesses/rules.ts'

/**
 * Every URL of the product, on one page. Names and paths are the specification's (section 2). A layout without its own
 * frame only declares the contract of its routes: who may see, store or list them (contract.server.ts).
 */
export default [
  layout('routes/site/layout.tsx', [
    index('routes/site/home.tsx'),

    // Accounts
    route('login', 'routes/account/login.tsx'),
    route('signup', 'routes/account/signup.tsx'),
    route('forgot-password', 'routes/account/forgot-password.tsx'),

    // Search
    route('venues-vendors', 'routes/businesses/venues-vendors.tsx'),
    ...Object.values(CATEGORY_SLUGS).map((slug) =>
      route(slug, 'routes/businesses/category.tsx', { id: slug }),
    ),
    route(':category/in/:place', 'routes/businesses/landing.tsx'),
    // Alone or in a place
    route('services/:service', 'routes/businesses/service.tsx', { id: 'service' }),
    route('services/:service/in/:place', 'routes/businesses/service.tsx', { id: 'service-in-place' }),
    route('business/:id', 'routes/businesses/business.tsx'),
    route('business/:id/ask', 'routes/businesses/ask.tsx'),
    route('events', 'routes/site/events.tsx'),
    route('list-your-business', 'routes/site/list-your-business.tsx'),
    route('vendors', 'routes/site/vendors.tsx'),
    route('vendorsprofile', 'routes/site/vendors-profile.tsx'),
    route('advice-support', 'routes/site/advice-support.tsx'),
    route('help/:article?', 'routes/site/help.tsx'),
    route('newsletter', 'routes/site/newsletter.tsx'),
    route('legal/:document', 'routes/site/document.tsx'),

    // Booking
    route('book/:id', 'routes/checkout/book.tsx'),
    layout('routes/checkout/layout.tsx', [
      route('success', 'routes/checkout/success.tsx'),
      route('bookings/:linkToken', 'routes/checkout/booking.tsx'),
      route('bookings/:linkToken/cancel', 'routes/checkout/cancel.tsx'),
      route('bookings/:linkToken/change', 'routes/checkout/change.tsx'),
      route('bookings/:linkToken/refund', 'routes/checkout/refund.tsx'),
      route('bookings/:linkToken/reminders', 'routes/checkout/reminders.tsx'),
      // Of its next instalment
      route('bookings/:linkToken/pay', 'routes/checkout/pay.tsx'),
      route('bookings/:linkToken/card', 'routes/checkout/card.tsx'),
      // To its vendor
      route('bookings/:linkToken/message', 'routes/checkout/message.tsx'),
      route('bookings/:linkToken/review', 'routes/checkout/review.tsx', { id: 'linked-review' }),
      // A guest comes with the conversation's link
      route('quotes/:id/:link?', 'routes/checkout/quote.tsx'),
      route('conversations/:linkToken', 'routes/account/conversation.tsx'),
      // A vendor's accountant, by the link of a mail
      route('accountant/:token', 'routes/account/accountant.tsx'),
    ]),

    // Not for search engines
    layout('routes/site/unlisted.tsx', [
      route('login/code', 'routes/account/login-code.tsx'),
      route('reset-password', 'routes/account/reset-password.tsx'),
      route('verify-email', 'routes/account/verify-email.tsx'),
      route('undo-email-change', 'routes/account/undo-email-change.tsx'),
      route('not-me', 'routes/account/not-me.tsx'),
      route('new-email', 'routes/account/new-email.tsx'),
      route('logout', 'routes/account/logout.tsx'),
      route('reactivate', 'routes/account/reactivate.tsx'),
      route('account-closed', 'routes/account/account-closed.tsx'),
      // In an operator's view of an account
      route('not-in-view', 'routes/account/not-in-view.tsx'),
      route('userdashboard/*', 'routes/account/unknown-screen.ts'),
      route('addservice', 'routes/site/add-service.tsx'),
      route('newsletter/unsubscribe', 'routes/site/unsubscribe.tsx'),
      route('reviews/end', 'routes/site/end-reviews.tsx'),
      route('alerts', 'routes/site/alerts.tsx'),
      // By the link of a mail
      route('alerts/:token', 'routes/site/alert-link.tsx'),
      route('cart', 'routes/checkout/cart.tsx'),
      // With the token of a link, a shared one
      route('shortlist/:link?', 'routes/businesses/shortlist.tsx'),
      route('payment', 'routes/checkout/payment.tsx'),
      // Only when mails are stored as files, and only for this machine
      route('outbox', 'routes/site/outbox.tsx'),
      route('outbox/:messageId', 'routes/site/outbox-mail.ts'),
    ]),

    // Signed in
    layout('routes/account/layout.tsx', [
      route('my-profile', 'routes/account/my-profile.tsx'),
      route('my-bookings', 'routes/account/my-bookings.tsx'),
      route('my-bookings/:bookingId/review', 'routes/account/review.tsx'),
      route('messages/:id?', 'routes/account/messages.tsx'),
      route('notifications', 'routes/account/notifications.tsx'),
      route('settings-privacy', 'routes/account/settings-privacy.tsx'),
      route('settings-privacy/activity', 'routes/account/activity.tsx'),
      route('confirm-deactivation', 'routes/account/confirm-deactivation.tsx'),
      route('confirm-deletion', 'routes/account/confirm-deletion.tsx'),
      route('userdashboard/user', 'routes/account/overview.tsx'),
    ]),
    route('dashboard', 'routes/dashboard/layout.tsx', [
      layout('routes/dashboard/signed-in.tsx', [
        index('routes/dashboard/overview.tsx'),
        route('register-business', 'routes/dashboard/register-business.tsx'),
        route('bookings', 'routes/dashboard/bookings.tsx'),
        route('bookings.csv', 'routes/dashboard/bookings-csv.ts'),
        route('inbox/:id?', 'routes/dashboard/inbox.tsx'),
        route('calendar', 'routes/dashboard/calendar.tsx'),
        route('availability', 'routes/dashboard/availability.tsx'),
        route('list-business/:id/album', 'routes/dashboard/album.tsx'),
        route('agreement', 'routes/dashboard/agreement.tsx'),
        route('disputes/:id', 'routes/dashboard/dispute-proof.tsx'),
        // Only while vendors are paid
        route('payouts', 'routes/dashboard/payouts.tsx'),
        route('payouts/setup', 'routes/dashboard/payout-setup.tsx', { id: 'payout-setup' }),
        route('payouts/return', 'routes/dashboard/payout-setup.tsx', { id: 'payout-return' }),
        route('payouts/:resource', 'routes/dashboard/payout-resource.ts', { id: 'payout-resource' }),
      ]),
      // These show their own notice when nobody is logged in (Decision 15)
      route('list-business', 'routes/dashboard/list-business.tsx'),
      route('list-business/new', 'routes/dashboard/listing-form.tsx', { id: 'new-listing' }),
      route('list-business/:id/edit', 'routes/dashboard/listing-form.tsx', { id: 'edit-listing' }),
    ]),

    // Operators
    route('operations', 'routes/operations/layout.tsx', [
      index('routes/operations/overview.tsx'),
      route('search', 'routes/operations/search.tsx'),
      route('bookings', 'routes/operations/bookings.tsx', { id: 'operators-bookings' }),
      route('payments', 'routes/operations/payments.tsx'),
      route('payments/:id', 'routes/operations/payment.tsx'),
      route('disputes/:id?', 'routes/operations/disputes.tsx'),
      // Only with payouts
      route('ledger', 'routes/operations/ledger.tsx'),
      route('tax', 'routes/operations/tax.tsx'),
      route('tax/:file', 'routes/operations/tax-file.ts'),
      route('comparison', 'routes/operations/comparison.tsx'),
      route('reviews', 'routes/operations/reviews.tsx'),
      route('reports/:id?', 'routes/operations/reports.tsx'),
      route('accounts', 'routes/operations/accounts.tsx'),
      route('accounts/:id/activity', 'routes/operations/activity.tsx', { id: 'account-activity' }),
      route('listings', 'routes/operations/listings.tsx'),
      route('payouts', 'routes/operations/payouts.tsx'),
      route('vendors/:id', 'routes/operations/vendor.tsx'),
      route('people', 'routes/operations/people.tsx'),
      // With 'stop', ends the view
      route('see-as/:step?', 'routes/operations/see-as.ts'),
      route('log', 'routes/operations/log.tsx'),
      route('export/:list', 'routes/operations/export.ts'),
    ]),
    // Only with the sandbox, and only for this machine
    route('sandbox', 'routes/sandbox/console.tsx'),
    route('sandbox/account/:token', 'routes/sandbox/account.tsx'),
    route('*', 'routes/site/catch-all.tsx'),
  ]),

  // Search engines and files
  layout('routes/api/cacheable.ts', { id: 'listed-files' }, [
    route('robots.txt', 'routes/site/robots.ts'),
    route('sitemap.xml', 'routes/site/sitemap.ts'),
    route('manifest.webmanifest', 'routes/site/manifest.ts'),
    route('sitemaps/:part', 'routes/site/sitemap-part.ts'),
    route('files/*', 'routes/api/uploaded-file.ts'),
    route('illustrations/:scene/:seed/:ratio?', 'routes/api/illustration.ts'),
    // With the address of a page
    route('cards/*', 'routes/api/link-card.ts'),
  ]),

  // API
  layout('routes/api/unlisted.ts', [
    layout('routes/api/cacheable.ts', { id: 'unlisted-files' }, [
      route('photos/:name', 'routes/account/photo.ts'),
      route('calendar-feed/:token.ics', 'routes/api/calendar-feed.ts'),
      route('api/places', 'routes/api/places.ts'),
      route('api/suggestions', 'routes/api/suggestions.ts'),
      route('api/count', 'routes/api/count.ts'),
      route('api/map', 'routes/api/map.ts'),
      route('api/password-policy', 'routes/api/password-policy.ts'),
    ]),
    route('create-payment-intent', 'routes/api/create-payment-intent.ts'),
    route('webhooks/payments', 'routes/api/payment-webhook.ts'),
    route('webhooks/mail', 'routes/api/mail-webhook.ts'),
    route('webhooks/:about', 'routes/api/payout-webhook.ts', { id: 'payout-webhook' }),
    route('api/availability/:businessId', 'routes/api/availability.ts'),
    route('api/travel/:businessId', 'routes/api/travel.ts'),
    route('api/hold', 'routes/api/hold.ts'),
    route('api/payment-report', 'routes/api/payment-report.ts'),
    route('api/sandbox/confirm', 'routes/api/sandbox-confirm.ts'),
    // Only with the sandbox, and only for this machine
    route('api/sandbox/:operation', 'routes/sandbox/operation.ts'),
    route('bookings/:linkToken/calendar.ics', 'routes/api/booking-calendar.ts'),
    route('business/:id/picture', 'routes/businesses/mail-picture.ts'),
    route('bookings/:linkToken/receipt.pdf', 'routes/api/receipt.ts'),
    route('bookings/:linkToken/documents/:file', 'routes/api/tax-document.ts'),
    route('accountant/:token/files/:file', 'routes/api/accountant-file.ts'),
    route('conversations/:linkToken/files/:fileId', 'routes/api/message-file.ts'),
    route('disputes/:id/files/:fileId', 'routes/api/proof-file.ts'),
    route('api/business-register', 'routes/api/business-register.ts'),
    route('api/browser-error', 'routes/api/browser-error.ts'),
    route('api/session', 'routes/api/session.ts'),
    route('api/passkey', 'routes/api/passkey.ts'),
    // Only when a hosted service signs people in
    route('api/hosted-session', 'routes/api/hosted-session.ts'),
    route('account-action', 'routes/api/hosted-action.ts'),
    route('settings-privacy/my-data.json', 'routes/account/my-data.ts'),
    route('api/live', 'routes/api/live.ts'),
    route('api/shortlist', 'routes/api/shortlist.ts'),
    route('api/album/:businessId', 'routes/api/album.ts'),
    route('api/upload', 'routes/api/upload.ts'),
    route('api/view', 'routes/api/view.ts'),
  ]),
] satisfies RouteConfig

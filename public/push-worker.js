// Shows the news of a business on a device while the site is closed. It is registered only where its owner asked for that, and
// it has no `fetch` handler: pages are never kept, since a stale page of money is worse than none.

const NEWS = {
  booking: { title: 'New booking', body: 'A customer has booked and paid.' },
  message: { title: 'New message', body: 'A customer has written to you.' },
}
// A browser ends a subscription whose messages show nothing, so an unknown kind shows this.
const OTHER = { title: 'News of your business', body: 'Open your dashboard to see it.' }

/** What was sent: a kind and a link. A link that leads elsewhere becomes the dashboard. */
function readNews(data) {
  let sent = {}
  try {
    sent = data.json()
  } catch {}
  const link = URL.parse(String(sent.link ?? ''), self.location.origin)
  const isOwn = link?.origin === self.location.origin
  return {
    ...(Object.hasOwn(NEWS, sent.kind) ? NEWS[sent.kind] : OTHER),
    href: isOwn ? link.href : new URL('/dashboard', self.location.origin).href,
  }
}

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const { title, body, href } = readNews(event.data)
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      data: { href },
      // Another of the same thing replaces it.
      tag: `${title} ${href}`,
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
    }),
  )
})

async function open(href) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = pages.find((page) => page.url === href)
  return shown ? shown.focus() : self.clients.openWindow(href)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.href))
})

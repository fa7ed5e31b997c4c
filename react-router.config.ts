import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // Every route's module is known from the first document: no extra request before a link can be followed.
  routeDiscovery: { mode: 'initial' },
  // One file for each route, fetched in one place, where a failure reloads the page once (load-route-module.ts).
  splitRouteModules: false,
} satisfies Config

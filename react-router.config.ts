import type { Config } from '@react-router/dev/config'

export default {
  ssr: true,
  // Every page knows the public routes, and discovers those of a private section when somebody goes there
  // (docs/decisions/0073-private-routes-are-discovered.md).
  routeDiscovery: { mode: 'lazy' },
  // One file for each route, fetched in one place, where a failure reloads the page once (load-route-module.ts).
  splitRouteModules: false,
} satisfies Config

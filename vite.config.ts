import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'

/**
 * Puts our `loadRouteModule` in the place of React Router's, which reloads the page on every failure, without a guard.
 * A build in which nothing was replaced fails: a new version of the router has moved it.
 */
function reloadOnce(): Plugin {
  const ours = fileURLToPath(new URL('./app/shell/load-route-module.ts', import.meta.url))
  let replaced = false
  return {
    name: 'reload-once',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    resolveId(source, importer) {
      if (!source.endsWith('/routeModules.js') || !importer?.includes('/react-router/')) return
      replaced = true
      return ours
    },
    buildEnd(error) {
      if (!error && !replaced) this.error('React Router has no routeModules.js any more: see reloadOnce')
    },
  }
}

// Threads start from files of their own, beside the server's bundle.
const THREADS = {
  // The embedded database.
  'pglite-worker.js': './app/adapters/database/pglite-worker.server.ts',
  // What reads outside calendars.
  'calendar-worker.js': './app/adapters/calendars/calendar-worker.ts',
}

function threads(): Plugin {
  return {
    name: 'threads',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    buildStart() {
      for (const [fileName, source] of Object.entries(THREADS))
        this.emitFile({ type: 'chunk', id: fileURLToPath(new URL(source, import.meta.url)), fileName })
    },
  }
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), reloadOnce(), threads()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Few files compress better than many: the libraries, which change seldom, what every page has, and what
            // the lists of businesses share.
            codeSplitting: {
              groups: [
                {
                  name: 'react',
                  test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/,
                  priority: 3,
                },
                { name: 'site', test: /app[\\/](root|routes[\\/]site[\\/]layout)\.tsx/, priority: 2 },
                {
                  name: 'cards',
                  test: /app[\\/]features[\\/]businesses[\\/]components[\\/](business-card|business-row|filter-bar)\.tsx/,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    // The server is one bundle: pages and server share the same modules, so a context has one identity.
    ssr: { build: { rolldownOptions: { input: './server/entry.ts' } } },
  },
  build: { assetsInlineLimit: 0 },
})

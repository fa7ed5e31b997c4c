import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'

/** Modules of libraries in whose place one of ours stands, in a build. */
const STAND_INS = [
  {
    // React Router's reloads the page on every failure, without a guard.
    source: /\/routeModules\.js$/,
    importer: /\/react-router\//,
    ours: './app/shell/load-route-module.ts',
    environments: ['client'],
  },
  {
    // Asks for routes that are not in the manifest; all of them are.
    source: /\/fog-of-war\.js$/,
    importer: /\/react-router\/.*(ssr\/components|hydrated-router)\.js$/,
    ours: './app/shell/stand-ins/route-discovery.ts',
    environments: ['client'],
  },
  {
    // Reports to somebody who measures; nobody does.
    source: /\/instrumentation\.js$/,
    importer: /\/react-router\/.*\/router\/router\.js$/,
    ours: './app/shell/stand-ins/instrumentation.ts',
    environments: ['client'],
  },
  {
    // Lucide's weighs more than all the icons of a page.
    source: /\/createLucideIcon\.mjs$/,
    importer: /\/lucide-react\//,
    ours: './app/shell/stand-ins/lucide-icon.ts',
    environments: ['client', 'ssr'],
  },
]

/** Puts those in their places. A build in which one was not replaced fails: a new version has moved it. */
function standIns(): Plugin {
  const waiting = new Map<string, Set<(typeof STAND_INS)[number]>>()
  return {
    name: 'stand-ins',
    enforce: 'pre',
    apply: 'build',
    buildStart() {
      const { name } = this.environment
      waiting.set(name, new Set(STAND_INS.filter(({ environments }) => environments.includes(name))))
    },
    resolveId(source, importer) {
      const { name } = this.environment
      const found = STAND_INS.find(
        (each) =>
          each.environments.includes(name) && each.source.test(source) && each.importer.test(importer ?? ''),
      )
      if (!found) return
      waiting.get(name)?.delete(found)
      return fileURLToPath(new URL(found.ours, import.meta.url))
    },
    // An icon is its lines: their keys and the icon's other names are for Lucide's own function.
    transform(code, id) {
      if (!/\/lucide-react\/.*\/icons\/[\w-]+\.mjs$/.test(id)) return
      const lines = code
        .replaceAll(/,?\s*\bkey: "\w+"/g, '')
        .replaceAll(/^ {2}(name: "[^"]*"|size: 24|aliases: \[[^\]]*\]),?\n/gm, '')
        .replace('__iconData.node;', '')
      return { code: lines, map: null }
    },
    buildEnd(error) {
      const [missing] = waiting.get(this.environment.name) ?? []
      if (!error && missing) this.error(`Nothing is called ${missing.source} any more: see STAND_INS`)
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

const NO_STYLES = '\0no-styles.js'

/** Styles that come with a component are the browser's; the server's build would make a second file of all of them. */
function noServerStyles(): Plugin {
  return {
    name: 'no-server-styles',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    resolveId: (source) => (source.endsWith('.css') ? NO_STYLES : undefined),
    load: (id) => (id === NO_STYLES ? '' : undefined),
  }
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), standIns(), noServerStyles(), threads()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Ours do nothing when they are loaded, so one of which nothing is used is left out.
          treeshake: { moduleSideEffects: (id) => !/\/app\/(features|shared)\/.*\.tsx?$/.test(id) },
          output: {
            // The manifest names what routes share many times: no more than what tells it apart.
            chunkFileNames: ({ name, isDynamicEntry }) =>
              isDynamicEntry ? `assets/${name}-[hash].js` : 'assets/[hash].js',
            // Few files compress better than many: the libraries, which change seldom, and what every page has.
            codeSplitting: {
              groups: [
                {
                  name: 'react',
                  test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/,
                  priority: 3,
                },
                {
                  name: 'site',
                  test: /app[\\/](root\.tsx|routes[\\/]site[\\/]layout\.tsx|ui[\\/](picture|breadcrumbs)\.tsx|shared[\\/](money|page-meta)\.ts)|arrow-(left|right)\.mjs/,
                  priority: 2,
                },
                {
                  name: 'listing',
                  test: /app[\\/]features[\\/](businesses[\\/](wording|components[\\/](rating-mark|abn-mark))|places[\\/]rules)\.tsx?/,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    // The server is one build: pages and server share the same modules, so a context has one identity. Icons are in it, so
    // that they are drawn as in the browser.
    ssr: {
      resolve: { noExternal: ['lucide-react'] },
      build: {
        rolldownOptions: {
          input: './server/entry.ts',
          // All in one folder: the bundle looks for its threads beside itself.
          output: { chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
  // Links to what comes later are in the document; a list of them in each script would only repeat it.
  build: { assetsInlineLimit: 0, modulePreload: false },
})

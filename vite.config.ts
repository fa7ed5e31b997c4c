import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { BUILD_TARGETS } from './app/shared/baseline.ts'

/**
 * The modules of React Router that the browser's build replaces (decisions 23 and 73): the one that fetches a route's
 * script, and the functions that discover routes. The first is imported in several places. The other is replaced only
 * where React Router exports its functions, since its components need the rest of it.
 */
const REPLACED = [
  { name: '/routeModules.js', importer: /\/react-router\//, by: './app/shell/load-route-module.ts' },
  {
    name: '/fog-of-war.js',
    importer: /\/react-router\/.*\/index\.js$/,
    by: './app/shell/discover-routes.ts',
  },
]

/** Replaces them. The build fails when React Router no longer imports a module of that name. */
function replacedModules(): Plugin {
  const replaced = new Set<string>()
  return {
    name: 'replaced-modules',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    buildStart() {
      replaced.clear()
    },
    resolveId(source, importer) {
      const found = REPLACED.find(
        (one) => source.endsWith(one.name) && importer && one.importer.test(importer),
      )
      if (!found) return
      replaced.add(found.name)
      return fileURLToPath(new URL(found.by, import.meta.url))
    },
    buildEnd(error) {
      const missing = REPLACED.find(({ name }) => !replaced.has(name))
      if (!error && missing)
        this.error(
          `React Router no longer imports ${missing.name}: read decisions 23 and 73 before anything else.`,
        )
    },
  }
}

// Threads and processes start from files of their own, beside the server's bundle.
const STARTED = {
  // The settings, for a process that starts others and serves nothing itself.
  'settings.js': './server/settings.ts',
  // The embedded database.
  'pglite-worker.js': './app/adapters/database/pglite-worker.server.ts',
  // What creates its files.
  'pglite-create.js': './app/adapters/database/pglite-create.server.ts',
  // What reads outside calendars.
  'calendar-worker.js': './app/adapters/calendars/calendar-worker.ts',
  // Examines the PDFs that people attach.
  'pdf-worker.js': './app/adapters/pdfs/pdf-worker.ts',
  // Draws the cards of links.
  'card-worker.js': './app/adapters/link-cards/card-worker.ts',
}

function startedFiles(): Plugin {
  return {
    name: 'started-files',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    buildStart() {
      for (const [fileName, source] of Object.entries(STARTED))
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
  plugins: [tailwindcss(), reactRouter(), replacedModules(), noServerStyles(), startedFiles()],
  environments: {
    client: {
      build: {
        target: BUILD_TARGETS,
        cssTarget: BUILD_TARGETS,
        rolldownOptions: {
          treeshake: {
            // Our modules do nothing when they are loaded, so unused ones are tree-shaken.
            moduleSideEffects: (id) => !/\/app\/(features|shared)\/.*\.tsx?$/.test(id),
            // Nor does reading a property do anything.
            propertyReadSideEffects: false,
          },
          output: {
            // The manifest names what routes share many times: no more than what tells it apart. Seven letters of a hash, the fewest that the bundler takes,
            // are 42 bits, and no compression makes them fewer.
            // The name of a route's file would only repeat its id.
            entryFileNames: ({ name }) =>
              name.startsWith('entry') ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js',
            chunkFileNames: ({ name, isDynamicEntry }) =>
              isDynamicEntry ? `assets/${name}-[hash:7].js` : 'assets/[hash:7].js',
            // Without groups a page loads 55 to 100 small files, 13 kB more. Each file of these is loaded by most pages of its kind.
            codeSplitting: {
              groups: [
                // Changes seldom, so browsers keep it through releases.
                {
                  name: 'react',
                  test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/,
                  priority: 3,
                },
                // What public pages show.
                {
                  name: 'site',
                  test: /app[\\/](root\.tsx|routes[\\/]site[\\/]layout\.tsx|ui[\\/](icon\.tsx|picture\.tsx|breadcrumbs\.tsx|page-before\.ts)|shared[\\/](money|page-meta)\.ts|features[\\/](businesses[\\/](messages|components[\\/](rating-mark|abn-mark))|places[\\/]rules)\.tsx?)/,
                  priority: 2,
                },
                // What screens with live data and steps show: those of an account, a vendor, an operator and a booking.
                {
                  name: 'screen',
                  test: /app[\\/](ui[\\/](action-failure|live-data|live-data-note|load-failure|tabs|tag|use-answer|use-leave-warning|use-mounted|event-stream|form-summary)\.tsx?|shell[\\/]screen-outlet|features[\\/](notifications[\\/]browser|accounts[\\/]browser[\\/]live-client|bookings[\\/]list[\\/]components[\\/](overview-heading|bookings-failure))|shared[\\/](dates|one-line)\.ts|routes[\\/]is-refusal)/,
                  priority: 1,
                },
                // The libraries of long forms, 40 kB, which short ones go without.
                {
                  name: 'form',
                  test: /node_modules[\\/](zod|@conform-to)[\\/]|app[\\/](ui[\\/](schema-form|contact-fields)|shared[\\/]form-texts)/,
                  priority: 1,
                },
                // What a booking's form, its payment and the free days of a business share: else the form loads 24 files instead of 13.
                {
                  name: 'booking',
                  test: /app[\\/]features[\\/](availability[\\/](components[\\/](free-calendar|time-picker|weekday-head)|browser[\\/]|(messages|month-rules|month-layout-rules|start-time-rules)\.ts)|bookings[\\/](checkout[\\/](components[\\/]booking-aside|browser[\\/](payment-handoff|booking-draft|business-handoff))|components[\\/]booking-facts|screens[\\/]terms-sections|((form|status)-)?rules\.ts)|terms[\\/](components[\\/]terms-timeline|timeline-rules))/,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    // The server is one build: pages and server share the same modules, so a context has one identity. The
    // parts of mails are bundled: their library brings tools that only a developer needs.
    ssr: {
      resolve: { noExternal: ['react-email'] },
      build: {
        rolldownOptions: {
          input: './server/entry.ts',
          // The server loads all of itself when it starts: only the browser fetches parts later.
          checks: { ineffectiveDynamicImport: false },
          // All in one folder: the bundle looks for its threads beside itself.
          output: { chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
  // Links to what comes later are in the document; a list of them in each script would only repeat it.
  build: { assetsInlineLimit: 0, modulePreload: false },
})

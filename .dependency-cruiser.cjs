/** Who may import whom: docs/architecture.md has the same table for people. There is no list of exemptions. */
const featureOrder = require('./feature-order.json')

/** A room of a feature, as tests/feature-structure.ts lists them. */
const ROOM = '(checkout/|decisions/|changes/|cancellation/|list/|insights/)?'
const afterIt = (index) => [...featureOrder.slice(index + 1), 'cart'].join('|')

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { path: '^(app|server|database|content|tests)/' },
      to: { couldNotResolve: true, pathNot: '^virtual:|\\+types/|\\?url$' },
    },
    {
      name: 'shared-knows-nobody',
      severity: 'error',
      from: { path: '^app/shared/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app/(?!shared/)|server|database|content|tests)' },
    },
    {
      name: 'shared-is-pure',
      severity: 'error',
      from: { path: '^app/shared/', pathNot: '\\.(test|server)\\.ts$' },
      to: {
        dependencyTypes: ['core', 'npm'],
        path: 'node_modules/(react|react-dom|react-router|kysely|pg|@electric-sql)(/|$)|^(node:|fs|crypto|path)',
      },
    },
    {
      name: 'ui-knows-no-trade',
      severity: 'error',
      from: { path: '^app/ui/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(app/(?!ui/|shared/)|server|database|content|tests)' },
    },
    {
      name: 'illustrations-are-pure',
      severity: 'error',
      from: { path: '^content/illustrations/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app/(?!shared/)|server|database|content/(?!illustrations/)|tests)' },
    },
    {
      name: 'shell-above-features',
      severity: 'error',
      from: { path: '^app/shell/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^(app/(routes|adapters|services|config|root|request-context)|server|database|content|tests)',
      },
    },
    {
      name: 'features-below-shell-and-routes',
      severity: 'error',
      from: { path: '^app/features/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^(app/(routes|shell|services|config|root|request-context)|server|database|content|tests)',
      },
    },
    {
      name: 'features-take-adapter-types-only',
      severity: 'error',
      from: {
        path: '^app/features/',
        pathNot: `\\.test\\.tsx?$|^app/features/[^/]+/${ROOM}(components|screens|browser)/`,
      },
      to: { path: '^app/adapters/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-know-no-feature',
      severity: 'error',
      from: { path: '^app/adapters/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app/(features|routes|shell|ui|services|config|root)|server|database|content|tests)' },
    },
    {
      name: 'only-services-picks-adapters',
      severity: 'error',
      from: {
        path: '^(app|server)/',
        pathNot: '\\.test\\.tsx?$|^app/adapters/|^app/services\\.server\\.ts$',
      },
      to: { path: '^app/adapters/.*\\.server\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: `^app/features/[^/]+/${ROOM}[a-z0-9-]*(rules|schema|messages|limits)\\.ts$` },
      to: {
        path: 'node_modules/(react|react-dom|react-router|kysely|pg|@electric-sql)(/|$)|\\.server\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      // They link to screens, whose addresses href() of React Router knows.
      name: 'mails-are-pure',
      severity: 'error',
      from: { path: `^app/features/[^/]+/${ROOM}[a-z0-9-]*mails\\.ts$` },
      to: {
        path: 'node_modules/(react|react-dom|kysely|pg|@electric-sql)(/|$)|\\.server\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'rules-without-node',
      severity: 'error',
      from: { path: `^app/features/[^/]+/${ROOM}[a-z0-9-]*(rules|schema|messages|limits|mails)\\.ts$` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sql-in-server-files',
      severity: 'error',
      from: { path: '^app/', pathNot: '\\.server\\.tsx?$|\\.test\\.tsx?$|^app/(root|entry|routes)' },
      to: { path: 'node_modules/(kysely|pg|@electric-sql)(/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'cart-imports-pricing-alone',
      severity: 'error',
      from: { path: '^app/features/cart/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^app/(features/(?!(cart|pricing)/)|adapters)' },
    },
    {
      // A screen may join the components of its feature with those of earlier ones.
      name: 'components-stay-in-their-feature',
      severity: 'error',
      from: { path: '^app/features/([^/]+)/', pathNot: `^app/features/[^/]+/${ROOM}screens/` },
      to: { path: `^app/features/[^/]+/${ROOM}components/`, pathNot: '^app/features/$1/' },
    },
    {
      name: 'screens-are-for-routes',
      severity: 'error',
      from: { path: '^app/', pathNot: `^app/(routes/|features/[^/]+/${ROOM}screens/)|\\.test\\.tsx?$` },
      to: { path: `^app/features/[^/]+/${ROOM}screens/` },
    },
    {
      name: 'screens-stay-in-their-feature',
      severity: 'error',
      from: { path: `^app/features/([^/]+)/${ROOM}screens/` },
      to: { path: `^app/features/[^/]+/${ROOM}screens/`, pathNot: '^app/features/$1/' },
    },
    {
      name: 'rules-and-server-files-know-no-browser',
      severity: 'error',
      from: {
        path: `^app/features/[^/]+/${ROOM}[^/]+$`,
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: `^app/features/[^/]+/${ROOM}(components|screens|browser)/`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-config-reads-the-environment',
      severity: 'error',
      from: { path: '^app/features/' },
      to: { path: '^app/config(\\.server\\.ts$|/)' },
    },
    {
      name: 'demo-is-for-starts',
      severity: 'error',
      from: { path: '^app/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^content/(?!illustrations/)' },
    },
    ...featureOrder.map((feature, index) => ({
      name: `${feature}-before-later-features`,
      severity: 'error',
      from: { path: `^app/features/${feature}/`, pathNot: '\\.test\\.tsx?$' },
      to: { path: `^app/features/(${afterIt(index)})/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|\\.react-router)/|\\+types/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}

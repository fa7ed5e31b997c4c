import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tests/free-port.ts'
import { type Child, cpuMs, load, mainThreadMs, median, pinLoad, RUN_SERVER, startChild } from './measure.ts'
import { UNITS_PER_REQUEST } from './rendered/units.ts'
import type { Row } from './run.ts'

/**
 * Measures pages that are rendered for each request, in units of rendering 500 plain rows with React, beside React
 * Router's smallest page, a small page of React alone, and node:http sending the bytes. The servers run at once on one
 * core, the load on another, and take turns. Only processor time counts, so other work on the machine matters little.
 * `RENDERED_BESIDE` names the folder of another built version, which takes its turns with this one.
 */

const ROUNDS = Number(process.env.RENDERED_ROUNDS ?? 9)
const WARM_UP = 4
const ROUND_MS = 700
/** More would only wait. */
const CONNECTIONS = 4
/** A parameter of no page, so the page is rendered and not cached. */
const UNCACHED = 'bench=1'
const PAGES = [
  { name: 'home page', path: `/?${UNCACHED}`, aim: 3 },
  { name: 'business page', path: `/business/harbour-light-pavilion?${UNCACHED}`, aim: 3 },
  { name: 'list of 24', path: `/venues?${UNCACHED}`, aim: 3 },
  { name: 'search', path: '/venues-vendors?q=garden', aim: 3 },
  { name: '/login', path: '/login', aim: 1.2 },
]
const BASELINES = [
  { name: 'React Router, smallest page', path: '/' },
  { name: 'React, small page', path: '/react' },
  { name: 'node:http, bytes of the business page', path: '/bytes' },
]
const UNIT = { name: '500 plain rows with React', path: '/unit' }
/** The page whose bytes node:http sends. */
const SENT = '/business/harbour-light-pavilion'
const MOST_CPU_MS = 12

type Server = { port: number; pid: number }
type Round = { mainMs: number; cpuMs: number }
type Contestant = { name: string; path: string; server: Server; rounds: Round[] }

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-bench-'))
  const children: Child[] = []
  const unpin = pinLoad()
  const start = async (child: Promise<Child>): Promise<Child> => {
    children.push(await child)
    return child
  }
  try {
    const ours = await startProduct(start, join(folder, 'ours'))
    const otherFolder = process.env.RENDERED_BESIDE
    const other = otherFolder ? await startProduct(start, join(folder, 'other'), otherFolder) : null
    const file = join(folder, 'page.txt')
    const page = await fetch(`http://localhost:${ours.port}${SENT}`)
    writeFileSync(file, Buffer.from(await page.arrayBuffer()).toString('base64'))
    const comparison = await start(
      startChild(['bench/rendered/comparison.ts', file], {
        env: { NODE_ENV: 'production' },
        isReady: /port \d+\n/,
        pinned: true,
      }),
    )
    const theirs = { port: Number(comparison.ready.slice('port '.length)), pid: comparison.pid }

    const unit = contestant(theirs, UNIT)
    const baselines = BASELINES.map((baseline) => contestant(theirs, baseline))
    const pages = PAGES.map((page) => ({
      ...contestant(ours, page),
      aim: page.aim,
      other: other && contestant(other, page),
    }))
    const all = [...pages.flatMap((page) => [page, ...(page.other ? [page.other] : [])]), ...baselines, unit]
    // The first rounds warm up, since the engine compiles what runs often.
    for (let round = -WARM_UP; round < ROUNDS; round++) for (const one of all) await measure(one, round >= 0)

    return [
      timesOf(unit, UNITS_PER_REQUEST),
      ...baselines.map((baseline) => timesOf(baseline)),
      ...pages.flatMap((page) => [
        {
          what: `${page.name}: units of the main thread`,
          result: median(ratios(page, unit).map((ratio) => ratio * UNITS_PER_REQUEST)).toFixed(2),
          aim: `at most ${page.aim}`,
        },
        { ...timesOf(page), aim: `at most ${MOST_CPU_MS} ms altogether` },
        ...(page.other
          ? [
              { ...timesOf({ ...page.other, name: `${page.name}, the other version` }) },
              {
                what: `${page.name} against the other version: main thread, all threads`,
                result: [ratios(page, page.other), ratios(page, page.other, 'cpuMs')]
                  .map((values) => median(values).toFixed(2))
                  .join(', '),
              },
            ]
          : []),
      ]),
    ]
  } finally {
    unpin()
    for (const child of children) await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the built demo of a checkout: this one, or another. */
async function startProduct(
  start: (child: Promise<Child>) => Promise<Child>,
  dataFolder: string,
  cwd?: string,
): Promise<Server> {
  mkdirSync(dataFolder)
  const port = await freePort()
  const { pid } = await start(
    startChild(RUN_SERVER, {
      env: {
        PORT: String(port),
        PUBLIC_URL: `http://localhost:${port}`,
        DATA_DIR: dataFolder,
        // Each request comes from an address of its own, which no limit of searches refuses.
        TRUSTED_PROXY: '1',
      },
      isReady: / is at /,
      pinned: true,
      ...(cwd ? { cwd } : {}),
    }),
  )
  return { port, pid }
}

function contestant(server: Server, { name, path }: { name: string; path: string }): Contestant {
  return { name, path, server, rounds: [] }
}

/** One's processor time against another's, round by round. */
function ratios(one: Contestant, other: Contestant, of: keyof Round = 'mainMs'): number[] {
  return one.rounds.map((round, at) => round[of] / (other.rounds[at]?.[of] ?? Number.NaN))
}

/** @param perRequest how many pages each request rendered */
function timesOf({ name, rounds }: Contestant, perRequest = 1): Row {
  const mainMs = median(rounds.map((round) => round.mainMs)) / perRequest
  const allMs = median(rounds.map((round) => round.cpuMs)) / perRequest
  return {
    what: `${name}: ms of the main thread, of all threads; pages per processor second`,
    result: `${mainMs.toFixed(2)}, ${allMs.toFixed(2)}; ${(1_000 / allMs).toFixed(0)}`,
  }
}

let requests = 0

async function measure({ server, path, rounds }: Contestant, counts: boolean): Promise<void> {
  const { port, pid } = server
  const before = { main: mainThreadMs(pid), all: cpuMs(pid) }
  const { answers } = await load({ port, path, connections: CONNECTIONS, ms: ROUND_MS, header: newAddress })
  if (!counts) return
  rounds.push({
    mainMs: (mainThreadMs(pid) - before.main) / answers,
    cpuMs: (cpuMs(pid) - before.all) / answers,
  })
}

function newAddress(): string {
  requests++
  const parts = [requests >> 16, requests >> 8, requests].map((part) => part & 255)
  return `X-Forwarded-For: 10.${parts.join('.')}`
}

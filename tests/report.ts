import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

type Counts = { passed: number; failed: number; skipped: number }

/** The result of a run for `npm test`: counts of tests, and each file's duration and processor time including imports and hooks. */
export type Report = Counts & {
  /** By the name in vitest.config.ts. */
  projects: Record<string, Counts>
  files: { name: string; project: string; ms: number; processorMs: number | null }[]
}

const none = (): Counts => ({ passed: 0, failed: 0, skipped: 0 })

/** Writes the report to the file that REPORT_FILE names. */
export default class ReportWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const report: Report = { ...none(), projects: {}, files: [] }
    for (const module of modules) {
      const ofProject = report.projects[module.project.name] ?? none()
      report.projects[module.project.name] = ofProject
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        for (const counts of [report, ofProject]) counts[state === 'pending' ? 'failed' : state]++
      }
      const { collectDuration, setupDuration, duration } = module.diagnostic()
      report.files.push({
        name: module.relativeModuleId,
        project: module.project.name,
        ms: collectDuration + setupDuration + duration,
        processorMs: module.meta().processorMs ?? null,
      })
    }
    // A file that fails to load, or a failing hook, has no test to report it.
    const isBroken = modules.some((module) => !module.ok()) || unhandledErrors.length > 0
    if (isBroken) report.failed = Math.max(report.failed, 1)
    writeFileSync(process.env.REPORT_FILE ?? '', JSON.stringify(report))
  }
}

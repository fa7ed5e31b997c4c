/** Public settings of the analytics service. */
export type AnalyticsSettings = {
  apiKey: string
  authDomain: string
  projectId: string
  appId: string
  measurementId: string
}

export interface Analytics {
  /** @param path without query: those carry links' tokens and what people search for */
  notePage(path: string, title: string): void
  /** Collects again after a stop. */
  resume(): void
  /** Stops collecting at once and takes its cookies away. */
  stop(): void
}

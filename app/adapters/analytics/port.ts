/** Public settings of the analytics service. */
export type AnalyticsSettings = {
  apiKey: string
  authDomain: string
  projectId: string
  appId: string
  measurementId: string
}

export interface Analytics {
  /** @param path without the query, which can hold links' tokens and people's searches */
  notePage(path: string, title: string): void
  /** Resumes collection after a stop. */
  resume(): void
  /** Stops collection immediately and deletes the cookies. */
  stop(): void
}

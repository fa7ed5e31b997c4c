/** Public settings of the analytics service. */
export type AnalyticsSettings = {
  apiKey: string
  authDomain: string
  projectId: string
  appId: string
  measurementId: string
}

export interface Analytics {
  /** @param pattern of the page's route, without the values of its parameters, which can be keys */
  notePage(pattern: string): void
  /** Resumes collection after a stop. */
  resume(): void
  /** Stops collection immediately and deletes the cookies. */
  stop(): void
}

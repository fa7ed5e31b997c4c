import { z } from 'zod'
import type { DataSettings } from './adapters/backup/port.ts'
import {
  type AccountConfig,
  accountConfig,
  accountEnvironment,
  accountProblems,
  readFirebase,
} from './config/accounts.server.ts'
import { loopbackHosts } from './config/checks.server.ts'
import {
  dataEnvironment,
  dataSettings,
  type ReplicaConfig,
  replicaConfig,
  replicaEnvironment,
  replicaProblems,
} from './config/data.server.ts'
import { type MailConfig, mailConfig, mailEnvironment, mailProblems } from './config/mail.server.ts'
import {
  type OperationConfig,
  operationConfig,
  operationEnvironment,
  operationProblems,
} from './config/operation.server.ts'
import {
  type PaymentConfig,
  paymentConfig,
  paymentEnvironment,
  paymentProblems,
  readProviders,
} from './config/payments.server.ts'
import { type SiteConfig, siteConfig, siteEnvironment } from './config/site.server.ts'
import { storedPushKey, storedSecret } from './config/stored.server.ts'

/** Settings are missing or wrong. The message names each one and how to correct it. */
export class SettingsError extends Error {
  constructor(problems: string[]) {
    super(`Jubilee can't start with these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'SettingsError'
  }
}

/** Every setting, with its default. docs/settings.md documents them. */
const environment = z.object({
  ...dataEnvironment.shape,
  ...replicaEnvironment.shape,
  ...operationEnvironment.shape,
  ...paymentEnvironment.shape,
  ...accountEnvironment.shape,
  ...mailEnvironment.shape,
  ...siteEnvironment.shape,
})

/** The settings, in the units that the product uses. */
export type Config = DataSettings &
  ReplicaConfig &
  OperationConfig &
  PaymentConfig &
  AccountConfig &
  MailConfig &
  SiteConfig

/**
 * Reads and checks the settings. No other code reads the environment.
 * @param env usually process.env
 * @throws SettingsError naming each setting that is wrong or missing
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = withoutEmpty(env)
  const set = parseSettings(environment, given)
  const publicUrl = new URL(set.PUBLIC_URL ?? `http://localhost:${set.PORT}`)
  const demo = !set.DATABASE_URL && loopbackHosts.has(publicUrl.hostname)
  const data = dataSettings(set)
  const firebase = readFirebase(set, publicUrl)
  const providers = readProviders(set, demo)
  const problems = [
    ...accountProblems(set, given, firebase),
    ...data.problems,
    ...replicaProblems(set),
    ...paymentProblems(set, providers, { publicUrl, demo }),
    ...mailProblems(set, demo),
    ...operationProblems(set, { demo, isTest: env.NODE_ENV === 'test' }),
  ]
  if (problems.length > 0) throw new SettingsError(problems)

  const { dataFolder } = data.settings
  return {
    ...data.settings,
    ...replicaConfig(set),
    ...operationConfig(set, {
      publicUrl,
      demo,
      isEmulated: firebase.emulatorUrl !== null,
      storedSecret: () => storedSecret(dataFolder),
    }),
    ...paymentConfig(set, providers, { publicUrl, demo }),
    ...accountConfig(set, { demo, firebase }),
    ...mailConfig(set, { demo, dataFolder, storedPushKey: () => storedPushKey(dataFolder) }),
    ...siteConfig(set, { demo }),
  }
}

/**
 * Reads only the settings for the data's location. A backup needs no others, and its machine may have no others.
 * @throws SettingsError naming each setting that is wrong or missing
 */
export function readDataSettings(env: Record<string, string | undefined>): DataSettings {
  const { settings, problems } = dataSettings(parseSettings(dataEnvironment, withoutEmpty(env)))
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

function withoutEmpty(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
}

function parseSettings<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
}

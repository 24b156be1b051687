import { readFile } from 'node:fs/promises'
import type { Config } from '../../server/config.ts'
import { unlessMissing } from '../../server/unless-missing.ts'
import { type Finding, note } from './finding.ts'

/** Of Linux: how often it sends again what nobody acknowledges, before it gives a connection up. */
const setting = '/proc/sys/net/ipv4/tcp_retries2'
/** More than these take longer than two minutes; the 15 of most machines take a quarter of an hour. */
const most = 8

const ownNames = new Set(['', 'localhost', '127.0.0.1', '[::1]'])

/** How long statements hang when the machine of the database dies without a word. */
export async function checkNetwork({ databaseUrl }: Pick<Config, 'databaseUrl'>) {
  if (!databaseUrl) return []
  const text = await unlessMissing(readFile(setting, 'utf8'), null)
  return text === null ? [] : hanging(databaseUrl, Number(text))
}

export function hanging(databaseUrl: string, retries: number): Finding[] {
  if (ownNames.has(new URL(databaseUrl).hostname) || retries <= most) return []
  const found = `When the machine of the database dies without a word, the system notices after many minutes (tcp_retries2 is ${retries}).`
  return [note('network', found, `Set net.ipv4.tcp_retries2 to ${most} with sysctl.`)]
}

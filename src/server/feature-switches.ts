import type { Pool } from 'pg'
import {
  featureKey,
  type FeatureName,
  featureNames,
  type OffSetting,
  offSentence,
  type SwitchedOff,
} from '../domains/administration/features.ts'

/**
 * What administrators have switched off, in the memory of this node: asking costs nothing. It is read at
 * the start, when a node is told that something was switched (PostgreSQL NOTIFY), and every 30 seconds in
 * place of the listener's sign of life (live-events.ts), so that a node that heard nothing follows, too.
 */
export interface FeatureSwitches {
  readonly off: Readonly<SwitchedOff>
  /** Another one whenever `off` is another. */
  readonly version: string
  /** By a connection of one's own, where there is one. */
  read(through?: Pick<Pool, 'query'>): Promise<void>
}

export async function openFeatureSwitches(pool: Pool): Promise<FeatureSwitches> {
  let off: SwitchedOff = {}
  let version = JSON.stringify(off)
  let begun = 0
  let shown = 0

  async function read(through: Pick<Pool, 'query'> = pool): Promise<void> {
    const mine = ++begun
    const { rows } = await through.query<{ key: string; value: OffSetting }>(
      'select key, value from settings where key = any($1)',
      [featureNames.map(featureKey)],
    )
    // A slow answer must not take the place of one that was asked for later.
    shown = Math.max(shown, mine)
    if (shown !== mine) return
    const values = new Map(rows.map(({ key, value }) => [key, value]))
    off = Object.fromEntries(
      featureNames.flatMap((name: FeatureName) => {
        const value = values.get(featureKey(name))
        return value ? [[name, offSentence(name, value.notice)]] : []
      }),
    )
    version = JSON.stringify(off)
  }

  await read()
  return {
    get off() {
      return off
    },
    get version() {
      return version
    },
    read,
  }
}

import type { Pool } from 'pg'
import { featureKey, type FeatureName, featureNames, features } from './features.ts'

interface Row {
  key: string
  since: Date
  notice: string
  reason: string | null
  by: { id: string; name: string } | null
}

/** All features in their order, with the state of their switches as the database has it now. */
export async function featuresOf(pool: Pool, config: { signUpOpen: boolean }) {
  const { rows } = await pool.query<Row>(
    `select s.key, (s.value->>'since')::timestamptz as since, s.value->>'notice' as notice,
            a.reason,
            case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by
       from settings s
       left join lateral (select reason, actor_id from administrative_acts
                           where subject_kind = 'feature' and action = 'switch_off'
                             and subject_id = substr(s.key, length('feature:') + 1)
                             and created_at >= (s.value->>'since')::timestamptz
                           order by created_at desc nulls last, id desc nulls last limit 1) a on true
       left join users u on u.id = a.actor_id
      where s.key = any($1)`,
    [featureNames.map(featureKey)],
  )
  const switchedOff = new Map(rows.map((row) => [row.key, row]))
  return featureNames.map((name: FeatureName) => {
    const {
      since = null,
      reason = null,
      by = null,
      notice = '',
    } = switchedOff.get(featureKey(name)) ?? {}
    return {
      name,
      ...features[name],
      isOff: since !== null,
      isClosedByConfiguration: name === 'sign_up' && !config.signUpOpen,
      since,
      reason,
      by,
      notice,
    }
  })
}

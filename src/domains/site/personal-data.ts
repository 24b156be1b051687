import type { PersonalData } from '../../server/personal-data.ts'
import { settings } from './tables.ts'

export const siteData: PersonalData = {
  tables: {},
  aboutNobody: [{ table: settings, because: 'facts about this installation' }],
}

import type { PersonalData } from '../../server/personal-data.ts'
import { courseSearchDocuments, searchWordParts, searchWords, trendingCourses } from './tables.ts'

const because = 'made from published courses, and goes with them'

export const searchData: PersonalData = {
  tables: {},
  aboutNobody: [
    { table: courseSearchDocuments, because },
    { table: searchWords, because: 'words of published courses, without what uses them' },
    { table: searchWordParts, because: 'words of published courses, without what uses them' },
    { table: trendingCourses, because },
  ],
}

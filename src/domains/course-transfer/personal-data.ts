import { eq } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { courseImports } from './tables.ts'

export const courseTransferData: PersonalData = {
  tables: {
    courseImports: personalTable(courseImports, {
      about: 'The course files that you imported, and what became of them.',
      rowsOf: ({ id }) => eq(courseImports.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        fileId: 'exported',
        status: 'exported',
        progressPercent: 'exported',
        problem: 'exported',
        courseId: 'exported',
        createdAt: 'exported',
        finishedAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },
}

/** What is put away when all tests of the file that runs now are over, whatever became of them. */
const chores: (() => Promise<void>)[] = []

export const afterFile = (chore: () => Promise<void>) => void chores.push(chore)

export async function doChores(): Promise<void> {
  await Promise.all(chores.splice(0).map((chore) => chore()))
}

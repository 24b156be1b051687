// While we may still write among the packages: the user that runs Thunder may not.
import { locateBinaries } from '../src/server/postgres/binaries.ts'

try {
  await locateBinaries()
} catch (error) {
  // With DATABASE_URL nobody misses it.
  console.warn((error as Error).message)
}

/**
 * UTC, in crontab's notation. What comes often has a key: a clock that jumps forward makes up for every minute, and one
 * that waits is enough. Each minute gives that one a new time, and everything else would be older for ever: it goes first.
 * Of those that ask the provider, which may be slow, there is one at a time, so that a place is left for the rest.
 */
export const schedule = `0 0 * * * rankTrending ?fill=1d
0 7 * * * sendDigests ?fill=12h
27 3 * * * countWords
17 3 * * * removeStaleUploads
37 3 * * * trimNotices
7 3 * * * removeFormerBuilds
* * * * * publishOverduePosts ?jobKey=publishOverduePosts&priority=-10
* * * * * closeOverdueChallenges ?jobKey=closeOverdueChallenges&priority=-10
* * * * * reconcilePayments ?jobKey=reconcilePayments&priority=-10&queue=askProvider
* * * * * foldCourseDays ?jobKey=foldCourseDays&priority=-10
* * * * * followPayouts ?jobKey=followPayouts&priority=-10&queue=askProvider
27 6 * * * payOutOnSchedule ?fill=1d
7 5 * * * prunePaymentEvents
23 * * * * checkConnectedAccounts
*/10 * * * * resumeRefunds ?jobKey=resumeRefunds&priority=-10
*/10 * * * * resumeWebhooks ?jobKey=resumeWebhooks&priority=-10
*/10 * * * * pruneLiveEvents ?jobKey=pruneLiveEvents&priority=-10
47 3 * * * removeExpired
7 4 * * * removeAbandonedCourses
37 4 * * * recountCounters
57 4 * * * recountCommunity
13 5 * * * indexCommunityWords
3 5 * * * recountAnalytics
17 5 * * * checkLedger
27 5 * * * endOverdue ?fill=12h`

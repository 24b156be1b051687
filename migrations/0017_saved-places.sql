-- A place in a video is saved every few seconds by everybody who watches. No index has what that changes, and each page
-- has room, so the row is changed where it is: nothing is written to any index.
CREATE INDEX IF NOT EXISTS "lesson_positions_person" ON "lesson_positions" USING btree ("user_id","course_id"); -- allowed: made before where the table is large, see “Upgrading” in docs/operations.md
--> statement-breakpoint
DROP INDEX "lesson_positions_user_course";--> statement-breakpoint
ALTER TABLE "lesson_positions" SET (fillfactor = 80);

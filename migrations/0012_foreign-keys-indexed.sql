DROP INDEX "checkouts_course_open";--> statement-breakpoint
CREATE INDEX "sso_providers_user" ON "sso_providers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "checkouts_course" ON "checkouts" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "payouts_connected_account" ON "payouts" USING btree ("connected_account_id");
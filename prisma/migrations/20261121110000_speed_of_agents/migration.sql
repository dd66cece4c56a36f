-- Each report of an agent asks whether anything rented of its hosts is silent, and each minute asks which terms end soon:
-- neither may read every instance that ever was.
CREATE INDEX "instance_silent" ON "instance" ("host_id") WHERE "silent_since" IS NOT NULL AND "status" <> 'destroyed';
CREATE INDEX "instance_leased_of_host" ON "instance" ("host_id") WHERE "holds_lease";
CREATE INDEX "instance_term" ON "instance" ("prepaid_until") WHERE "prepaid_until" IS NOT NULL;

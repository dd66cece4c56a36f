import { PageMessages } from "@/app/_visitor/page-messages";
import { LostInstance } from "@/components/instances/lost-instance";
import { Page } from "@/components/ui/page-header";

export default function InstanceNotFound() {
  return (
    <Page>
      <PageMessages of={["instances"]}>
        <LostInstance />
      </PageMessages>
    </Page>
  );
}

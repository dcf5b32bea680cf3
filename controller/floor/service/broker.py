"""The floor's connection to the broker as one part of the service: it waits, subscribes and never
gives up.

A floor starts without a broker: its pages show the content of the database, and tables can send by
HTTPS. While the broker is away the service has an exception.
"""

import asyncio
from typing import Final

import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError

from controller.floor.config import FloorConfig
from controller.floor.service.alerts import Alerts
from controller.floor.service.live_views import LiveViews
from controller.floor.service.nats_connection import NatsCarrier, close, connected
from controller.floor.service.nats_listener import Hearing, Listening
from controller.floor.service.supervisor import Faults, supervised
from controller.floor.sink.collector import Collector
from controller.floor.sink.nats_front import NatsFront
from controller.floor.tasks import end
from controller.journal.keys.signing import Signer

log = structlog.get_logger()

AGAIN_S: Final = 1.0
AWAY_S: Final = 2.0
"""A broker that does not answer for so long is away."""
FIRST_S: Final = 5.0
"""So long a start waits for the broker before it continues without."""


class Broker:
    def __init__(
        self,
        config: FloorConfig,
        hearing: Hearing,
        collector: Collector,
        signer: Signer,
        faults: Faults,
        carrier: NatsCarrier,
    ) -> None:
        self._config, self._site = config, config.site.name
        self._hearing, self._collector, self._signer = hearing, collector, signer
        self._faults, self._carrier = faults, carrier
        self._answers = asyncio.Event()
        self._ending = False
        self._views: LiveViews | None = None

    async def run(self) -> None:
        self._ending = False
        client = await self._connected()
        try:
            listening = Listening(client, self._site, self._hearing)
            await listening.start()
            self._views = LiveViews(client, self._site, listening.live)
            await self._views.catch_up()
            await NatsFront(client, self._site, self._collector, self._signer).start()
            await client.flush()  # from here on tables get answers
            self._carrier.client = client
            self._answers.set()
            alerts = Alerts(client, self._site, self._config.database.derive)
            parts = [
                asyncio.create_task(supervised(name, part, self._faults))
                for name, part in (("alerts", alerts.run), ("live views", self._views.run))
            ]
            try:
                await asyncio.gather(*parts)
            finally:
                await end(*parts)
        finally:
            self._ending = True
            self._views = None
            self._carrier.client = None
            await close(client)

    async def answered_at_first(self) -> bool:
        """Whether the broker was available when the floor started."""
        try:
            await asyncio.wait_for(self._answers.wait(), FIRST_S)
        except TimeoutError:
            return False
        return True

    async def _connected(self) -> Client:
        """Waits until a broker answers."""
        answer = False
        while True:
            connecting = asyncio.create_task(
                connected(self._config.nats, f"floor of {self._site}", self._lost, self._back)
            )
            try:
                # The library retries an absent broker by itself, without a report.
                await asyncio.wait([connecting], timeout=AWAY_S)
                if not answer and not _is_there(connecting):
                    answer = True
                    log.warning("no_broker", servers=self._config.nats.servers)
                    await self._faults.broker_lost()
                client = await connecting
            except (OSError, NatsError, TimeoutError) as error:
                log.warning("broker_error", kind=type(error).__name__)
                await asyncio.sleep(AGAIN_S)
            else:
                await self._faults.broker_back()
                return client
            finally:
                await end(connecting)

    async def _lost(self) -> None:
        if not self._ending:  # the library calls it at a regular end too
            log.warning("broker_lost")
            await self._faults.broker_lost()

    async def _back(self) -> None:
        log.info("broker_back")
        if self._views is not None:
            self._views.look_again()
        await self._faults.broker_back()


def _is_there(connecting: "asyncio.Future[Client]") -> bool:
    return connecting.done() and connecting.exception() is None

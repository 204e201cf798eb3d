-- Whether an event moved its amount. The amount of an approval is a limit, and a failed transaction moves nothing.
(kind != 'approval' AND status != 'failed')

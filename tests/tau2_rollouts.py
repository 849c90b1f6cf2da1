"""Run by an interpreter that has tau2: plays the rollouts on standard input, one dump each."""

import json
import sys
from importlib import import_module  # tau2 is not there where the project is type-checked


def main() -> None:
    """Play all orders in turn."""
    run = import_module("tau2.run")
    environment_only = import_module("tau2.evaluator.evaluator").EvaluationType.ENV
    for order in json.load(sys.stdin):
        llm_args = {"api_base": order["url"], "api_key": "none", "temperature": 0.0}
        run.run_tasks(
            domain=order["domain"],
            tasks=run.get_tasks(order["domain"], task_ids=[order["task_id"]]),
            agent="llm_agent",
            user="user_simulator",
            llm_agent=f"openai/agent-{order['name']}",
            llm_args_agent=dict(llm_args),
            llm_user=f"openai/user-{order['name']}",
            llm_args_user=dict(llm_args),
            max_steps=60,
            save_to=order["dump"],
            console_display=False,
            evaluation_type=environment_only,
            log_level="ERROR",
        )


if __name__ == "__main__":
    main()

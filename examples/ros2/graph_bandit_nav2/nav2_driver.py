"""The real driver: Nav2's action `NavigateToPose`, by way of its Simple Commander.

This is the only file that needs ROS 2. It is written for `nav2_simple_commander` of Humble and
later.
"""

from __future__ import annotations

import rclpy
from geometry_msgs.msg import PoseStamped
from nav2_simple_commander.robot_navigator import BasicNavigator, TaskResult

from .driving import Arrived, Place, RoadClosed, Stuck

#: A drive counts as blocked when it takes this many times as long as it should, and this many
#: seconds more.
PATIENCE, GRACE = 3.0, 20.0


class Nav2Driver:
    """Drives with Nav2. `speed` is what the robot usually drives, in metres per second."""

    def __init__(self, speed: float) -> None:
        rclpy.init()
        self._speed = speed
        # ==== NAV2 ==== Give the namespace here if your robot has one.
        self._navigator = BasicNavigator()
        # Needs a pose from localization; call `setInitialPose` before if yours has to be told.
        self._navigator.waitUntilNav2Active()

    def drive(self, start: Place, goal: Place) -> Arrived | RoadClosed | Stuck:
        """Drives to a neighbouring place; if there is no way, it drives back."""
        if start == goal:
            return Arrived(0.0)
        began = self._now()
        if self._reach(goal, start.distance_to(goal)):
            return Arrived(self._now() - began)
        # Nav2 has tried its recoveries and given up, or found a way that is far too long.
        if self._reach(start, start.distance_to(goal)):
            return RoadClosed()
        return Stuck(f"cannot reach {goal.name}, and cannot go back to {start.name}")

    def _reach(self, place: Place, metres: float) -> bool:
        """Whether the robot got there in reasonable time."""
        # ==== NAV2 ==== The action call. `goToPose` sends the goal of `NavigateToPose` and returns
        # at once. Use `followPath` or the route server here if your robot must keep to lanes.
        if not self._navigator.goToPose(self._pose(place)):
            return False  # The goal was rejected.
        began, limit = self._now(), PATIENCE * metres / self._speed + GRACE
        cancelled = False
        while not self._navigator.isTaskComplete():  # Waits for a tenth of a second each time.
            if not cancelled and self._now() - began > limit:
                self._navigator.cancelTask()
                cancelled = True
        return bool(self._navigator.getResult() == TaskResult.SUCCEEDED)

    def _pose(self, place: Place) -> PoseStamped:
        pose = PoseStamped()
        pose.header.frame_id = "map"
        pose.header.stamp = self._navigator.get_clock().now().to_msg()
        pose.pose.position.x = place.x
        pose.pose.position.y = place.y
        pose.pose.orientation.w = 1.0
        return pose

    def _now(self) -> float:
        """Seconds of ROS's clock, which a simulator may drive."""
        return float(self._navigator.get_clock().now().nanoseconds) / 1e9

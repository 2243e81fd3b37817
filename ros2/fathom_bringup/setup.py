from glob import glob

from setuptools import setup

NAME = "fathom_bringup"

setup(
    name=NAME,
    version="0.1.0",
    packages=[NAME],
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        (f"share/{NAME}/launch", glob("launch/*.launch.py")),
        (f"share/{NAME}/rviz", glob("rviz/*.rviz")),
    ],
    install_requires=["setuptools"],
    zip_safe=True,
    maintainer="The Fathom developers",
    maintainer_email="fathom@localhost",
    description="Launch files, RViz configuration and robot descriptions for Fathom",
    license="MIT",
    entry_points={"console_scripts": [f"describe = {NAME}.describe:main"]},
)
